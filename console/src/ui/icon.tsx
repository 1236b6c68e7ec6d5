import type { ReactNode } from 'react'

/** Outlines in a box of 16 by 16. */
const outlines = {
  overview: 'M2.5 9.5l3-3 3 2.5 5-5.5M2.5 13.5h11',
  messages: 'M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2z',
  conversations: 'M2 3h8v5.5H5.5L3.500 10.500V8.500H2zM12 6.500h2v5.500h-1.500v2l-2-2H6.500v-1',
  broadcasts: 'M3 6.500v3h2l6 3.500v-10l-6 3.500zM13 6.500v3',
  contacts:
    'M8 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 13.500c.5-2.500 2.500-3.500 5-3.500s4.500 1 5 3.500',
  groups:
    'M6 7.500a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400zM2 13c.4-2.300 2-3.200 4-3.200s3.600.9 4 3.200M10.500 7.500a2 2 0 1 0 0-4M11.500 9.800c1.500.3 2.300 1.300 2.500 3.200',
  webhooks:
    'M8 3a2.500 2.500 0 0 1 1.500 4.500l1.800 3M5 8.500a2.500 2.500 0 1 0 2 4h4.500M11 10a2.200 2.200 0 1 1-.5 4M6.500 7.500L4.800 10.500',
  carriers: 'M8 7v6.500M5.500 9.500a3.500 3.500 0 1 1 5 0M3.700 11.300a6 6 0 1 1 8.600 0',
  numbers: 'M6.500 2.500l-1 11M10.500 2.500l-1 11M3 6h10.500M2.500 10H13',
  optOuts: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM4.200 4.200l7.600 7.600',
  credits:
    'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM10 6.200C9.500 5.400 6 5 6 6.800S10 7.500 10 9.300 6.500 10.800 5.900 9.800M8 4.500v7',
  prices: 'M2.500 2.500h5l6 6-5 5-6-6zM5.300 5.300v.01',
  keys: 'M6 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.200 8.500l5 5M11 11.200l1.500-1.500',
  accounts: 'M2.500 13.500v-9l5-2v11M7.500 6.500h6v7M2 13.500h12M10 9v0M10 11.300v0M5 6v0M5 9v0',
  auditEvents: 'M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2',
  maintenanceWindows:
    'M9.500 3.500a3 3 0 0 0 3.500 4l-5.800 5.700a1.600 1.600 0 0 1-2.300-2.300L10.500 5',
  collection:
    'M8 2.500c3 0 5 .8 5 1.900S11 6.300 8 6.300 3 5.500 3 4.400s2-1.900 5-1.900zM3 4.400v7.200c0 1.100 2 1.900 5 1.900s5-.8 5-1.900V4.400M3 8c0 1.100 2 1.900 5 1.900S13 9.100 13 8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.700 10.700l3 3',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  copy: 'M6 6h7v7.500H6zM10 6V2.500H3V10h3',
  trash: 'M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9',
  edit: 'M3 13l.6-2.800L11 2.800l2.200 2.200-7.400 7.400z',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  down: 'M4 6.500l4 4 4-4',
  up: 'M4 9.500l4-4 4 4',
  right: 'M6 3.500l4.500 4.500L6 12.500',
  theme: 'M8 13.500a5.500 5.500 0 1 0 0-11zM8 13.500a5.500 5.500 0 0 1 0-11',
  exit: 'M6 2.500H2.500v11H6M10.500 5l3 3-3 3M13.500 8H6',
  warning: 'M8 2.500l6 11H2zM8 6.500V10M8 12v.01',
  clock: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM8 5v3.200l2 1.500',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.500l7.500 4.500L5 12.500z',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2.500v2.800h-2.800',
  send: 'M2.500 8L13.500 3l-3 10-3-4zM7.500 9l6-6',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  circle: 'M8 12.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9z',
  code: 'M5.500 4.500L2 8l3.500 3.500M10.500 4.500L14 8l-3.500 3.500',
  upload: 'M8 10.500v-8M4.500 6L8 2.500 11.500 6M3 13.500h10',
  download: 'M8 2.500v8M4.500 7.500L8 11l3.500-3.500M3 13.500h10',
} as const

/** The name of an icon. */
export type IconName = keyof typeof outlines

/** Returns true if there is an icon of this name. */
export function isIcon(name: string): name is IconName {
  return name in outlines
}

/** Shows an icon. Text next to it says what it means. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={outlines[name]} />
    </svg>
  )
}
