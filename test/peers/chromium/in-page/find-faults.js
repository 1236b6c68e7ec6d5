// Runs inside a page: returns a sentence for everything that keeps someone from reading it.
;(() => {
  const faults = []
  const count = (selector) => document.querySelectorAll(selector).length

  for (const [selector, wanted] of [
    ['main', 1],
    ['h1', 1],
    ['nav[aria-label]', 1],
    ['body > header, body > .side > header', 1],
    ['html[lang]', 1],
    ['title', 1],
  ]) {
    if (count(selector) !== wanted) faults.push(`there are ${count(selector)} ${selector}`)
  }

  let level = 0
  for (const heading of document.querySelectorAll('h1,h2,h3,h4,h5')) {
    const next = Number(heading.tagName.slice(1))
    if (next > level + 1) faults.push(`a heading skips a level: ${heading.textContent}`)
    level = next
  }

  for (const section of document.querySelectorAll('section')) {
    const label = document.getElementById(section.getAttribute('aria-labelledby') ?? '')
    if (label === null) faults.push(`a section has no name: ${section.id}`)
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`twice: ${id}`)
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!ids.includes(link.hash.slice(1))) faults.push(`a link leads nowhere: ${link.hash}`)
  }

  // Relative luminance and contrast of WCAG 2.2.
  const parse = (color) => color.match(/[\d.]+/g).map(Number)
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const seen = new Set()
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (walker.currentNode.data.trim() === '' || element.tagName === 'STYLE') continue
    const [color, background] = [parse(getComputedStyle(element).color), backgroundOf(element)]
    const [light, dark] = [luminance(color), luminance(background)].toSorted((a, b) => b - a)
    const contrast = (light + 0.05) / (dark + 0.05)
    const pair = `${color} on ${background}`
    if (contrast >= 4.5 || seen.has(pair)) continue
    seen.add(pair)
    faults.push(`contrast ${contrast.toFixed(2)}: ${pair}, such as ${element.textContent.trim()}`)
  }

  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`it is ${scrollWidth - clientWidth} pixels too wide`)
  return faults
})()
