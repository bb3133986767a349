import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

/**
 * Points at an element until these words show beside it. Tooltips of PatternFly listen to their element from an effect
 * on, which may run after a test has found the element: a person would point at it again, too.
 */
export const seeTooltip = (user: UserEvent, element: HTMLElement, words: string | RegExp): Promise<HTMLElement> =>
  waitFor(async () => {
    await user.unhover(element)
    await user.hover(element)
    return screen.findByText(words, { selector: '[role=tooltip] *' }, { timeout: 2_000 })
  })
