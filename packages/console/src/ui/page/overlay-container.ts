import { createContext, use } from 'react'

const pageContainer = (): HTMLElement => document.querySelector('main') ?? document.body

/** Returns the element of the dialog around a component, or else of the page. */
export const OverlayContainer = createContext(pageContainer)

/**
 * Returns where the tooltips, popovers and menus of a component are rendered: inside a landmark, or the dialog around the
 * component, where assistive technology finds them.
 */
export const useOverlayContainer = (): (() => HTMLElement) => use(OverlayContainer)
