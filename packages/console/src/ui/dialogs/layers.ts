import { type RefObject, useLayoutEffect } from 'react'
import { useLatest } from '../../lib/use-latest'
import { focusHeading } from '../page/focus-heading'

interface LayerOptions {
  /** Moves the focus into the layer. */
  focus: () => void
  /** Called when Escape is pressed, wherever the focus is, while no other layer is above this one. */
  onEscape?: () => void
  /** Keeps the layer above those that open after it. */
  isOnTop?: boolean
}

interface Layer {
  element: HTMLElement
  options: RefObject<LayerOptions>
  /** Had the focus before the layer opened, and regains it. */
  opener: Element | null
}

/** What covers the page, from bottom to top. */
const layers: Layer[] = []

/** The children of the body that are below the top layer. */
let below: Element[] = []

/** Regains the focus once React has rendered what replaces a closed layer. */
let returnTo: Element | null = null

/** Properties of a child of the body that no layer covers, since it reports what happens meanwhile. */
export const neverCovered = { 'data-never-covered': true }

/**
 * Covers the page with an element, which is a child of the body, while the component is mounted. Only the top layer can
 * be used and read by assistive technology; it has the focus. Layers may open, close and be updated in any order (ADR 48).
 */
export function useLayer(element: RefObject<HTMLElement | null>, options: LayerOptions): void {
  const latest = useLatest(options)
  useLayoutEffect(() => (element.current ? openLayer(element.current, latest) : undefined), [element, latest])
}

function openLayer(element: HTMLElement, options: RefObject<LayerOptions>): () => void {
  const above = options.current.isOnTop ? undefined : layers.find((layer) => layer.options.current.isOnTop)
  const layer = { element, options, opener: above ? above.opener : (returnTo ?? document.activeElement) }
  returnTo = null
  if (layers.length === 0) document.addEventListener('keydown', closeByEscape, true)
  if (above) {
    above.opener = null
    layers.splice(layers.indexOf(above), 0, layer)
  } else {
    layers.push(layer)
    // Before the rest of the page is hidden: browsers do not hide an element that has the focus.
    if (!element.contains(document.activeElement)) options.current.focus()
  }
  coverBelow()
  return () => closeLayer(layer)
}

function closeLayer(layer: Layer): void {
  const index = layers.indexOf(layer)
  layers.splice(index, 1)
  if (layers.length === 0) document.removeEventListener('keydown', closeByEscape, true)
  const above = layers[index]
  if (!above) returnTo = layer.opener
  else if (layer.element.contains(above.opener)) above.opener = layer.opener
  coverBelow()
  queueMicrotask(returnFocus)
}

/** Hides all but the top layer from users and from assistive technology, whatever it contains and however it changes. */
function coverBelow(): void {
  const top = layers.at(-1)?.element
  document.body.classList.toggle('pf-v6-c-backdrop__open', top !== undefined)
  const covered = top
    ? [...document.body.children].filter((each) => each !== top && !each.hasAttribute('data-never-covered'))
    : []
  for (const each of below) if (!covered.includes(each)) setCovered(each, false)
  for (const each of covered) if (!below.includes(each)) setCovered(each, true)
  below = covered
}

function setCovered(element: Element, isCovered: boolean): void {
  element.toggleAttribute('inert', isCovered)
  if (isCovered) element.setAttribute('aria-hidden', 'true')
  else element.removeAttribute('aria-hidden')
}

/** Returns the focus of a closed layer, unless it is elsewhere by now: in another layer, or where the user has moved it. */
function returnFocus(): void {
  const opener = returnTo
  returnTo = null
  const isLost = () => document.activeElement === document.body
  if (!isLost()) return
  if (opener instanceof HTMLElement) opener.focus()
  if (!isLost()) return
  const top = layers.at(-1)
  if (top) top.options.current.focus()
  else focusHeading()
}

/** Only the top layer is closed by Escape, and only once no menu or popover in it is open, which Escape closes first. */
function closeByEscape(event: KeyboardEvent): void {
  const top = layers.at(-1)
  if (event.key !== 'Escape' || !top || top.element.querySelector(openPopup)) return
  event.stopPropagation()
  top.options.current.onEscape?.()
}

const openPopup = '[data-popper-placement]:not([role="tooltip"])'
