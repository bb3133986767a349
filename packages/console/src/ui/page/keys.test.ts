import { expect, test } from 'vitest'
import { isTypingIn, shortcutFor, stepFor } from './keys'

const none = { key: '', ctrlKey: false, metaKey: false, altKey: false, isComposing: false }
const reading = { isTyping: false, mayBeSingle: true }
const typing = { isTyping: true, mayBeSingle: true }

test.each<[string, Partial<typeof none>, typeof reading, ReturnType<typeof shortcutFor>]>([
  ['Ctrl+K opens the palette', { key: 'k', ctrlKey: true }, reading, 'palette'],
  ['Cmd+K opens the palette', { key: 'k', metaKey: true }, reading, 'palette'],
  ['Ctrl+K opens the palette with caps lock', { key: 'K', ctrlKey: true }, reading, 'palette'],
  ['Ctrl+K opens the palette from a field', { key: 'k', ctrlKey: true }, typing, 'palette'],
  ['Ctrl+Cmd+K belongs to another program', { key: 'k', ctrlKey: true, metaKey: true }, reading, undefined],
  ['Ctrl+Alt+K is a letter on some keyboards', { key: 'k', ctrlKey: true, altKey: true }, reading, undefined],
  ['k alone is a letter', { key: 'k' }, reading, undefined],
  ['? shows the shortcuts', { key: '?' }, reading, 'keys'],
  ['/ focuses the filter', { key: '/' }, reading, 'filter'],
  ['? in a field is a letter', { key: '?' }, typing, undefined],
  ['/ in a field is a letter', { key: '/' }, typing, undefined],
  ['/ does nothing while composing a character', { key: '/', isComposing: true }, reading, undefined],
  ['Ctrl+/ belongs to another program', { key: '/', ctrlKey: true }, reading, undefined],
  ['? does nothing if single-key shortcuts are off', { key: '?' }, { ...reading, mayBeSingle: false }, undefined],
  [
    'Cmd+K opens the palette if single-key shortcuts are off',
    { key: 'k', metaKey: true },
    { ...reading, mayBeSingle: false },
    'palette',
  ],
])('%s', (_, pressed, circumstances, expected) => {
  expect(shortcutFor({ ...none, ...pressed }, circumstances)).toBe(expected)
})

test.each([
  ['<input>', true],
  ['<input type="search">', true],
  ['<textarea></textarea>', true],
  ['<select></select>', true],
  ['<input type="checkbox">', false],
  ['<input type="radio">', false],
  ['<button></button>', false],
  ['<p></p>', false],
])('a key pressed in %s counts as typing: %s', (html, expected) => {
  document.body.innerHTML = html
  expect(isTypingIn(document.body.firstChild)).toBe(expected)
})

const noModifier = { ...none, getModifierState: (_: string) => false }
const altGraph = { ctrlKey: true, altKey: true, getModifierState: (key: string) => key === 'AltGraph' }
test.each<[string, Partial<typeof noModifier>, typeof reading, ReturnType<typeof stepFor>]>([
  ['[ leads to the previous item', { key: '[' }, reading, 'previous'],
  ['] leads to the next item', { key: ']' }, reading, 'next'],
  ['] leads to the next item on keyboards that have it with AltGr only', { key: ']', ...altGraph }, reading, 'next'],
  ['] does nothing in a field', { key: ']' }, typing, undefined],
  ['] does nothing while composing a character', { key: ']', isComposing: true }, reading, undefined],
  ['] does nothing if single-key shortcuts are off', { key: ']' }, { ...reading, mayBeSingle: false }, undefined],
  ['Cmd+[ is Back in some browsers', { key: '[', metaKey: true }, reading, undefined],
  ['Ctrl+] belongs to another program', { key: ']', ctrlKey: true }, reading, undefined],
  ['Alt+] belongs to another program', { key: ']', altKey: true }, reading, undefined],
  ['other keys lead nowhere', { key: 'n' }, reading, undefined],
])('%s', (_, pressed, circumstances, expected) => {
  expect(stepFor({ ...noModifier, ...pressed }, circumstances)).toBe(expected)
})
