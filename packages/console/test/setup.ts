import { format } from 'node:util'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect } from 'vitest'
import { patienceMs } from '../../../scripts/lib/patience.mjs'
import { printNoPagesWhilePolling, speedUpComputedStyles, speedUpMatches, traceNoElements } from './speed'

afterEach(cleanup)
configure({ asyncUtilTimeout: patienceMs })
printNoPagesWhilePolling()
traceNoElements()
speedUpMatches(globalThis)
for (const window of [globalThis, document.defaultView]) if (window) speedUpComputedStyles(window)

// A browser repairs elements that must not contain each other, so that the page is not the one that was rendered.
// React reports each pair once.
const invalidMarkup: string[] = []
const { error: reportError } = console
beforeEach(() => {
  console.error = (...values: unknown[]) => {
    if (/^In HTML, |cannot contain a nested/.test(String(values[0]))) invalidMarkup.push(format(...values))
    reportError(...values)
  }
})
afterEach(() => {
  console.error = reportError
  expect(invalidMarkup.splice(0)).toEqual([])
})

// The servers of the in-process cluster run in this realm too, and accept only Node's own byte arrays. jsdom replaces
// the global, but Buffer still inherits from Node's.
globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as typeof Uint8Array

// In a browser these are the default of `Intl`; in jsdom they are always English.
const { locale } = new Intl.DateTimeFormat().resolvedOptions()
Object.defineProperties(navigator, {
  language: { get: () => locale, configurable: true },
  languages: { get: () => [locale], configurable: true },
})

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
// Everything is in view.
globalThis.IntersectionObserver ??= class {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  private readonly callback: IntersectionObserverCallback
  private readonly timers: NodeJS.Timeout[] = []
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback
  }
  observe() {
    const entry = { isIntersecting: true } as IntersectionObserverEntry // The only member that is read.
    this.timers.push(setTimeout(() => this.callback([entry], this)))
  }
  unobserve() {}
  disconnect() {
    this.timers.forEach(clearTimeout)
  }
  takeRecords = () => []
}
