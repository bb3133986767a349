import { configure, getConfig } from '@testing-library/react'
import * as React from 'react'

/** What makes component tests fast without changing what they see. Each function is called once per process. */

/** A query that fails in `waitFor` prints the page only when the time is up, and not each time it is repeated. */
export function printNoPagesWhilePolling(): void {
  const { getElementError } = getConfig()
  configure({
    getElementError(message, container) {
      // Not in the types. `waitFor` sets it while it polls, and prints the page itself at the end.
      const { _disableExpensiveErrorDiagnostics: isPolling } = getConfig() as {
        _disableExpensiveErrorDiagnostics?: boolean
      }
      if (!isPolling) return getElementError(message, container)
      return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
    },
  })
}

/**
 * React captures a stack trace for each of the first 10,000 elements it creates in a second, which takes an eighth of the
 * time of component tests. Its warnings still name the component and its parents.
 */
export function traceNoElements(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
    __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object
  }
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
}

/**
 * Speeds up `matches`: to find an element's role, Testing Library tries about a hundred selectors such as `input[type="radio"]`
 * on it, most of which begin with another tag.
 */
export function speedUpMatches({ Element }: Pick<typeof globalThis, 'Element'>): void {
  const { matches } = Element.prototype
  /** Selector -> the tag that it begins with, if it is about one element only. */
  const tags = new Map<string, string | undefined>()
  function fastMatches(this: Element, selector: string): boolean {
    if (!tags.has(selector)) tags.set(selector, /^([a-z][a-z0-9]*)(?![^[:.#])[^\s,>+~]*$/.exec(selector)?.[1])
    const tag = tags.get(selector)
    if (tag !== undefined && tag !== this.localName) return false
    return matches.call(this, selector)
  }
  // The type also says which tag a matching element has.
  Element.prototype.matches = fastMatches as Element['matches']
}

/** Initial values of the properties that queries, clicks and PatternFly's poppers read again and again. */
const initialValues: ReadonlyMap<string, string> = new Map([
  ['display', 'inline'],
  ['opacity', '1'],
  ['visibility', 'visible'],
  ['direction', 'ltr'],
  ['pointer-events', 'auto'],
])
const isInherited = (property: string) => property !== 'display' && property !== 'opacity'

/** Attributes that select elements in the rules of a browser for `initialValues`, besides `dir` and `popover`. */
const selectingAttributes = ['hidden', 'open', 'type']

/**
 * Speeds up `getComputedStyle`, which takes a fifth of the time of component tests: jsdom matches an element and all of its
 * ancestors against its style sheet for browsers, again after every change of the document. Tests load no other style
 * sheets, so that the properties in `initialValues` depend only on the tag, a few attributes, the `style` attribute, and
 * the parent. jsdom computes everything else as before.
 */
export function speedUpComputedStyles(window: Pick<typeof globalThis, 'getComputedStyle'>): void {
  const computeStyle = window.getComputedStyle.bind(window)
  /** Tag and attributes -> what a browser's style sheet says of such an element. */
  const defaults = new Map<string, CSSStyleDeclaration>()

  function defaultOf(element: Element, property: string): string {
    const attributes = selectingAttributes.map((name) => element.getAttribute(name) ?? '\0')
    const key = [element.namespaceURI, element.localName, ...attributes].join('\n')
    let style = defaults.get(key)
    if (!style) {
      const alike = element.cloneNode() as Element
      alike.removeAttribute('style')
      defaults.set(key, (style = computeStyle(alike)))
    }
    return style.getPropertyValue(property)
  }

  /** The value of a property in `initialValues`, or `undefined` if it depends on more than this function knows. */
  function valueOf(element: Element, property: string): string | undefined {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      // The style of a summary depends on its parent.
      if (ancestor.localName === 'summary' || ancestor.hasAttribute('dir') || ancestor.hasAttribute('popover'))
        return undefined
      const inline = ancestor.hasAttribute('style')
        ? (ancestor as HTMLElement | SVGElement).style.getPropertyValue(property)
        : ''
      if (/^(inherit|initial|unset|revert)/.test(inline)) return undefined
      const value = inline || defaultOf(ancestor, property)
      if (!isInherited(property) || value !== initialValues.get(property)) return value
      if (inline) return value
    }
    return initialValues.get(property)
  }

  function getComputedStyle(element: Element, pseudoElement?: string | null): CSSStyleDeclaration {
    if (pseudoElement || element.ownerDocument.styleSheets.length > 0) return computeStyle(element, pseudoElement)
    let computed: CSSStyleDeclaration | undefined
    const read = (property: string): string | undefined =>
      initialValues.has(property) ? valueOf(element, property) : undefined
    const all = () => (computed ??= computeStyle(element))
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        if (name === 'getPropertyValue') return (property: string) => read(property) ?? all().getPropertyValue(property)
        const known = name === 'pointerEvents' ? read('pointer-events') : read(String(name))
        if (known !== undefined) return known
        const value: unknown = Reflect.get(all(), name)
        return typeof value === 'function' ? (value.bind(all()) as unknown) : value
      },
    })
  }
  window.getComputedStyle = getComputedStyle
}
