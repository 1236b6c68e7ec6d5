// First: what is loaded next reads the language of the browser.
import './ui/locale.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { reloadOnceOnMissingPart } from './reload.ts'
import { applyTheme } from './ui/theme.ts'
import './styles.ts'

applyTheme()
reloadOnceOnMissingPart()

const place = document.getElementById('console')
if (place === null) throw new Error('the page has no place for the console')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
