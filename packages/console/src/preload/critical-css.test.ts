import { expect, it, test } from 'vitest'
import { criticalCss, type PackedSheets, packSheets, parseSheets, unpackSheets } from './critical-css'

const html = '<div class="a b"><h1 id="top">x</h1></div>'

test.each([
  ['a class', '.a{color:red}', '.a{color:red}'],
  ['several classes', '.a.b{color:red}', '.a.b{color:red}'],
  ['a tag and an id', 'div h1#top{color:red}', 'div h1#top{color:red}'],
  ['one selector of several', '.c,.a{color:red}', '.a{color:red}'],
  ['a class that is not there', '.a .c{color:red}', ''],
  ['a tag that is not there', 'table{color:red}', ''],
  ['not a class', '.a:not(.c){color:red}', '.a:not(.c){color:red}'],
  ['one of several alternatives', ':where(.c, .b) h1{color:red}', ':where(.c, .b) h1{color:red}'],
  ['none of the alternatives', ':is(.c, table .a) h1{color:red}', ''],
  ['the dark theme, which a script sets', '.pf-v6-theme-dark .a{color:red}', '.pf-v6-theme-dark .a{color:red}'],
  ['a state', '.a:hover,.a:focus-visible{color:red}', ''],
  ['the other direction', ':where(.pf-v6-m-dir-rtl,[dir=rtl]) .a{color:red}', ''],
  ['a window size', '@media (width>=1px){.a{color:red}.c{color:red}}', '@media (width>=1px){.a{color:red}}'],
  ['paper', '@media print{.a{color:red}}', ''],
  ['a font', '@font-face{font-family:x}', ''],
  ['a file beside the sheet', '.a{background:url(x.svg);color:red}', '.a{color:red}'],
  [
    'an animation',
    '@keyframes x{to{top:0}}@keyframes y{to{top:0}}.a{animation:x 1s}',
    '@keyframes x{to{top:0}}.a{animation:x 1s}',
  ],
  [
    'custom properties that are used, through others too',
    ':root{--p:1;--q:var(--p);--r:2}.a{order:var(--q, 3)}',
    ':root{--p:1;--q:var(--p)}.a{order:var(--q, 3)}',
  ],
  ['only custom properties that are not used', '.a{--p:1}', ''],
])('decides by the names in a selector: %s', (_, sheet, expected) => {
  expect(criticalCss(html, parseSheets([sheet]))).toBe(expected)
  // Once more, from a file.
  const packed = JSON.stringify(packSheets([sheet]))
  expect(criticalCss(html, unpackSheets(JSON.parse(packed) as PackedSheets))).toBe(expected)
})

it('gives rules of later sheets the weight that their order will have', () => {
  expect(criticalCss(html, parseSheets(['.a{top:0}', '.b{top:1px}', '.a::before,.c{top:2px}']))).toBe(
    '.a{top:0}.b:not(#_){top:1px}.a:not(#_)::before{top:2px}',
  )
})
