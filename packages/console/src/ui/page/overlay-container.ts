/**
 * Where tooltips, popovers and menus are rendered: inside a landmark, where assistive technology finds them.
 * @param element that they belong to, if it may be in a dialog, which hides everything outside it
 */
export const overlayContainer = (element?: Element | null): HTMLElement =>
  element?.closest<HTMLElement>('[role="dialog"]') ?? document.querySelector('main') ?? document.body
