/**
 * Where tooltips, popovers and menus are rendered: inside a landmark, where assistive technology finds them.
 * @param element that they belong to, if it may be in a dialog, which hides everything else on the page
 */
export const overlayContainer = (element?: Element | null): HTMLElement =>
  element?.closest<HTMLElement>('.pf-v6-c-backdrop') ?? document.querySelector('main') ?? document.body
