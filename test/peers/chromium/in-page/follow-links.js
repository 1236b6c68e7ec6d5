// Runs inside a page: follows every link of an operation in the navigation, and returns the
// identifier and the title of each that then stands in sight.
;(() => {
  const links = [...document.querySelectorAll('nav a:has(.method)')]
  return links.flatMap((link) => {
    link.click()
    const title = document.querySelector(`${link.hash} h3`)
    const { top } = title.getBoundingClientRect()
    const isInSight = location.hash === link.hash && top >= 0 && top < innerHeight
    return isInSight ? [[link.hash.slice(1), title.textContent]] : []
  })
})()
