import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'

interface Props extends Omit<ButtonProps, 'children' | 'className' | 'style'> {
  readonly look?: 'primary' | 'danger' | 'danger-fill' | 'plain' | undefined
  readonly small?: boolean
  readonly icon?: IconName
  /** Hides the text, which remains the name for assistive technology. */
  readonly iconOnly?: boolean
  readonly children: string
}

/** A button. Its text is a verb. */
export function Button({ look, small, icon, iconOnly, children, ...rest }: Props): ReactNode {
  const classes = ['button', look, small === true && 'small', iconOnly === true && 'icon']
  return (
    <AriaButton
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      {...(iconOnly === true ? { 'aria-label': children } : {})}
    >
      {icon === undefined ? null : <Icon name={icon} size={small === true ? 13 : 15} />}
      {iconOnly === true ? null : children}
    </AriaButton>
  )
}
