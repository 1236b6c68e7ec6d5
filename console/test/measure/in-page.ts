/** What the page gets before its first script: a way to wait for what is shown. */
export const waitInPage = `
  globalThis.shownAt = (selector) => new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(selector) === null) return requestAnimationFrame(look)
      resolve(performance.now())
    }
    look()
  })
`

/** Presses the link to the messages. Returns after how many milliseconds rows are shown. */
export const openMessages = `
  (async () => {
    const link = [...document.querySelectorAll('a')].find((one) => one.textContent === 'Messages')
    const pressedAt = performance.now()
    link.click()
    return await shownAt('.table-row') - pressedAt
  })()
`

/** Scrolls a list, a screen each frame, until so many rows were read. Returns how many were. */
export const scrollRows = (rows: number): string => `
  new Promise((resolve, reject) => {
    const scroller = document.querySelector('.table-scroll')
    const rowPixels = document.querySelector('.table-row').getBoundingClientRect().height
    const end = performance.now() + 120_000
    const step = () => {
      const read = Math.round(document.querySelector('.table-rows').clientHeight / rowPixels)
      if (read >= ${rows} && scroller.scrollTop >= ${rows} * rowPixels - 2000) return resolve(read)
      if (performance.now() > end) return reject(new Error('only ' + read + ' rows were read'))
      scroller.scrollTop += scroller.clientHeight
      requestAnimationFrame(step)
    }
    step()
  })
`
