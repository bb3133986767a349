import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { createEmitter, createStore, useStore } from './store'

it('an emitter notifies its listeners until they unsubscribe', () => {
  const emitter = createEmitter<[number]>()
  const listener = vi.fn()
  const unsubscribe = emitter.subscribe(listener)
  expect(emitter.hasListeners()).toBe(true)
  emitter.emit(1)
  unsubscribe()
  emitter.emit(2)
  expect(listener.mock.calls).toEqual([[1]])
  expect(emitter.hasListeners()).toBe(false)
})

it('setting a store to its current value does not notify listeners', () => {
  const store = createStore('a')
  const onChange = vi.fn()
  store.subscribe(onChange)
  store.set('a')
  expect(onChange).not.toHaveBeenCalled()
  store.set('b')
  expect(onChange).toHaveBeenCalledOnce()
  expect(store.get()).toBe('b')
})

it('a component that uses a store renders its new value', () => {
  const store = createStore('before')
  const Value = () => useStore(store)
  render(<Value />)
  act(() => store.set('after'))
  expect(screen.getByText('after')).toBeVisible()
})
