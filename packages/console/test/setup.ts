import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { patienceMs } from '../../../scripts/lib/patience.mjs'

afterEach(cleanup)
configure({ asyncUtilTimeout: patienceMs })

// The servers of the in-process cluster run in this realm too, and accept only Node's own byte arrays. jsdom replaces
// the global, but Buffer still inherits from Node's.
globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as typeof Uint8Array

// jsdom has neither layout nor media queries.
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  })
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true
}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
