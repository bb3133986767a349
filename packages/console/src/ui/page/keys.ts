import { stored } from '../../lib/stored'

/** Whether keys such as `?` and `/` are shortcuts: users of speech input need to turn them off (WCAG 2.1.4). */
export const singleKeys = stored('slipway-single-keys', (value): boolean => value !== false)

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/** The shortcut of a key. @param isTyping whether it was pressed in a field, where it is an ordinary character */
export function shortcutFor(
  { key, ctrlKey, metaKey, altKey, isComposing }: Pressed,
  { isTyping, mayBeSingle }: { isTyping: boolean; mayBeSingle: boolean },
): 'palette' | 'keys' | 'filter' | undefined {
  if (isComposing || altKey) return undefined
  if (key.toLowerCase() === 'k' && ctrlKey !== metaKey) return 'palette'
  if (isTyping || !mayBeSingle || ctrlKey || metaKey) return undefined
  if (key === '?') return 'keys'
  return key === '/' ? 'filter' : undefined
}

/** The neighbour that a key leads to: `[` and `]`, which many keyboards have only together with another key. */
export function stepFor(
  event: Pressed & Pick<KeyboardEvent, 'getModifierState'>,
  { isTyping, mayBeSingle }: { isTyping: boolean; mayBeSingle: boolean },
): 'previous' | 'next' | undefined {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event
  const isForCharacter = event.getModifierState('AltGraph') || (isMac() && !ctrlKey)
  if (isComposing || isTyping || !mayBeSingle || metaKey || ((ctrlKey || altKey) && !isForCharacter)) return undefined
  if (key === '[') return 'previous'
  return key === ']' ? 'next' : undefined
}

export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'))

/** Selects what takes single keys for itself while it is open. */
export const keyTakers = '[role="dialog"], [role="menu"], [role="listbox"]'
