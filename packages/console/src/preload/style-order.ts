/**
 * A prepared document has the style sheet of the frame in its body, behind the layout that is shown without it. Those of
 * other parts are appended to the head, and would come before it, although they are written to come after: a rule that is
 * as specific as one of the frame's would lose. So the sheet gets its place in the head, and the one in the body goes once
 * that is there. The browser has it already.
 */
export function moveSheetIntoHead(): void {
  const sheet = document.body.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
  if (!sheet) return
  const moved = sheet.cloneNode() as HTMLLinkElement
  moved.addEventListener('load', () => sheet.remove())
  const critical = document.getElementById('slipway-critical')
  if (critical) critical.after(moved)
  else document.head.prepend(moved)
}
