import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { patienceMs } from '../../../scripts/lib/patience.mjs'

afterEach(cleanup)
configure({ asyncUtilTimeout: patienceMs })

// The servers of the in-process cluster live in this realm too, and know only Node's own byte arrays.
// A Buffer is one of them, whatever jsdom has put in its place.
globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as typeof Uint8Array

// jsdom lays nothing out and matches no media.
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
