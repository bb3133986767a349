import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

afterEach(cleanup)
// A whole cluster answers within the process, on machines that may be busy.
configure({ asyncUtilTimeout: 10_000 })

// A whole cluster starts within a test, on machines that have other things to do.
vi.setConfig({ testTimeout: 30_000 })

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
