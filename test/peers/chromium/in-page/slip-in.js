// Runs inside a page: puts a script and a handler into it, as an attacker would, and returns the
// page's own font and whether any of them ran.
;(async () => {
  const script = document.createElement('script')
  script.textContent = 'window.slippedIn = true'
  document.body.append(script)
  const image = document.createElement('img')
  image.setAttribute('onerror', 'window.slippedIn = true')
  image.src = 'data:image/png,none'
  document.body.append(image)
  await image.decode().catch(() => {})
  return [getComputedStyle(document.body).fontFamily, window.slippedIn === true]
})()
