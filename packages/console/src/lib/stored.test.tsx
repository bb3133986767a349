import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { stored, useStored } from './stored'

const key = 'test-preference'
const choices = ['system', 'light', 'dark'] as const
const parse = (value: unknown) => choices.find((choice) => choice === value) ?? 'system'
const preference = () => stored(key, parse)

afterEach(() => localStorage.clear())

it('survives a reload', () => {
  preference().set('dark')
  expect(preference().get()).toBe('dark')
})

it('stores plain text as it is, and as JSON if it would parse as another value', () => {
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

test.each(['', '{', '7', 'null', '{"a":1}', '"neon"'])('falls back to the default for %j in storage', (text) => {
  localStorage.setItem(key, text)
  expect(preference().get()).toBe('system')
})

it('reads plain text, as other versions wrote it', () => {
  localStorage.setItem(key, 'dark')
  expect(preference().get()).toBe('dark')
})

it('returns the same object until it changes', () => {
  const list = stored<string[]>(key, (value) => (Array.isArray(value) ? value.map(String) : []))
  list.set(['a'])
  expect(list.get()).toBe(list.get())
})

it('renders every component that uses it again', () => {
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

it('follows changes in other tabs', () => {
  const theme = preference()
  const Theme = () => <p>{useStored(theme)[0]}</p>
  render(<Theme />)
  localStorage.setItem(key, '"dark"')
  act(() => void dispatchEvent(new StorageEvent('storage', { key })))
  expect(screen.getByText('dark')).toBeVisible()
  // As when another tab clears the storage.
  localStorage.clear()
  act(() => void dispatchEvent(new StorageEvent('storage', { key: null })))
  expect(screen.getByText('system')).toBeVisible()
})

describe('in a browser that forbids storage', () => {
  it('lasts until the page is closed', () => {
    const deny = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(deny)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(deny)
    const theme = preference()
    expect(theme.get()).toBe('system')
    theme.set('dark')
    expect(theme.get()).toBe('dark')
  })
})
