import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/**
 * Hovers over an element until its tooltip with this text appears. PatternFly's tooltips listen to their element from
 * an effect, which may run after a test has found the element, so the first hover may be missed.
 */
export const seeTooltip = (user: UserEvent, element: HTMLElement, text: string | RegExp): Promise<HTMLElement> =>
  waitFor(async () => {
    await user.unhover(element)
    await user.hover(element)
    return screen.findByText(text, { selector: '[role=tooltip] *' }, { timeout: 2_000 })
  })
