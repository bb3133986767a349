let isObserving = false
let isPressed = false
const waiting = new Set<() => void>()

const release = () => {
  isPressed = false
  for (const action of waiting) action()
  waiting.clear()
}

/** Called by whatever uses `afterPress`, before there is a press. */
export function observePresses(): void {
  if (isObserving) return
  isObserving = true
  document.addEventListener('pointerdown', () => void (isPressed = true), { capture: true })
  for (const type of ['pointerup', 'pointercancel']) document.addEventListener(type, release, { capture: true })
}

/**
 * Runs an action immediately or, while a button of the pointer is down, when it is released. For what moves elements,
 * such as an error that appears when a field is left: if the pressed element moved before that, the click would be lost.
 */
export function afterPress(action: () => void): void {
  if (isPressed) waiting.add(action)
  else action()
}
