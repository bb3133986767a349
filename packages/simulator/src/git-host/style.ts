/** Styles of all pages of the git host. A separate file, since the pages' security policy forbids inline styles. */
export const style = `
:root { color-scheme: light dark; --line: #d2d2d2; --quiet: #4d4d4d; --link: #0058c4; --panel: #f5f5f5 }
@media (prefers-color-scheme: dark) { :root { --line: #474747; --quiet: #b8b8b8; --link: #92c5f9; --panel: #242424 } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
header, main { max-width: 64rem; margin: 0 auto; padding: 1rem 1.5rem }
header { border-bottom: 1px solid var(--line) }
header nav ol { display: flex; flex-wrap: wrap; gap: .25rem .75rem; list-style: none; margin: 0; padding: 0 }
header nav li + li::before { content: "/"; color: var(--quiet); margin-inline-end: .75rem }
a { color: var(--link) }
a:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible
  { outline: 3px solid var(--link); outline-offset: 2px }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.quiet { color: var(--quiet) }
.skip { position: absolute; inset-inline-start: -100vw }
.skip:focus { position: static }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td { overflow-wrap: anywhere }
code { font-family: ui-monospace, monospace; font-size: .9em }
.badge { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem }
.open, .succeeded { color: #2f7d32 } .merged { color: #6a3fb5 } .closed, .failed { color: #b1380b } .running { color: #0058c4 }
@media (prefers-color-scheme: dark) {
  .open, .succeeded { color: #87bb62 } .merged { color: #b6a6e9 } .closed, .failed { color: #f9a8a8 } .running { color: #92c5f9 }
}
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0 }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 }
.actions { display: flex; flex-wrap: wrap; gap: .5rem }
form.stack { display: grid; gap: .5rem; max-width: 36rem }
label { display: grid; gap: .15rem; font-weight: 600 }
input, textarea, select { font: inherit; padding: .4rem .5rem; border: 1px solid var(--quiet); border-radius: .3rem; width: 100% }
button { font: inherit; padding: .4rem 1rem; border: 1px solid var(--quiet); border-radius: .3rem; cursor: pointer; justify-self: start }
`.trim()
