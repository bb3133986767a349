import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { stored, useStored } from './stored'

const key = 'test-preference'
const choices = ['system', 'light', 'dark'] as const
const parse = (value: unknown) => choices.find((choice) => choice === value) ?? 'system'
const preference = () => stored(key, parse)

afterEach(() => localStorage.clear())

it('lasts beyond a reload', () => {
  preference().set('dark')
  expect(preference().get()).toBe('dark')
})

it('keeps a word as it is, and as JSON what would be read as something else', () => {
  const word = stored(key, (value) => (typeof value === 'string' ? value : undefined))
  word.set('dark')
  expect(localStorage.getItem(key)).toBe('dark')
  for (const odd of ['true', '7', 'null', '{}', '"', '']) {
    word.set(odd)
    expect(word.get()).toBe(odd)
  }
})

it('is its default before it is set and after it is cleared', () => {
  const theme = preference()
  expect(theme.get()).toBe('system')
  theme.set('dark')
  theme.clear()
  expect(theme.get()).toBe('system')
  expect(localStorage.getItem(key)).toBeNull()
})

test.each(['', '{', '7', 'null', '{"a":1}', '"neon"'])('survives %j in storage', (text) => {
  localStorage.setItem(key, text)
  expect(preference().get()).toBe('system')
})

it('reads a plain word, as other versions wrote it', () => {
  localStorage.setItem(key, 'dark')
  expect(preference().get()).toBe('dark')
})

it('answers the same object until it changes', () => {
  const list = stored<string[]>(key, (value) => (Array.isArray(value) ? value.map(String) : []))
  list.set(['a'])
  expect(list.get()).toBe(list.get())
})

it('draws every component that reads it again', () => {
  const theme = preference()
  const Theme = () => <p>{useStored(theme)[0]}</p>
  render(
    <>
      <Theme />
      <Theme />
    </>,
  )
  act(() => theme.set('light'))
  expect(screen.getAllByText('light')).toHaveLength(2)
})

it('follows other tabs', () => {
  const theme = preference()
  const Theme = () => <p>{useStored(theme)[0]}</p>
  render(<Theme />)
  localStorage.setItem(key, '"dark"')
  act(() => void dispatchEvent(new StorageEvent('storage', { key })))
  expect(screen.getByText('dark')).toBeVisible()
  // What another tab does when it clears all there is.
  localStorage.clear()
  act(() => void dispatchEvent(new StorageEvent('storage', { key: null })))
  expect(screen.getByText('system')).toBeVisible()
})

describe('in a browser that forbids storage', () => {
  afterEach(() => vi.restoreAllMocks())

  it('lasts as long as the page', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
    const theme = preference()
    expect(theme.get()).toBe('system')
    theme.set('dark')
    expect(theme.get()).toBe('dark')
  })
})
