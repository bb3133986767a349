/** Where tooltips and popovers are drawn: inside a landmark, where assistive technology finds them. */
export const overlayContainer = (): HTMLElement => document.querySelector('main') ?? document.body
