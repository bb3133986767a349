import { useEffect } from 'react'
import { useWriteBlock } from '../../api/live/connectivity'
import { createEmitter, useStore } from '../../lib/store'
import { useLatest } from '../../lib/use-latest'
import type { Action } from '../action'

/** What can be done on the page that is shown, for the palette. Buttons and menus bring it themselves. */
const sources = new Set<() => readonly Action[]>()
const changes = createEmitter()
let current: readonly Action[] = []

function collect() {
  current = [...sources].flatMap((source) => source())
  changes.emit()
}

/** Offers actions for as long as the caller is on screen. */
export function useRegisterActions(actions: readonly Action[]): void {
  const latest = useLatest(actions)
  useEffect(() => {
    if (changes.hasListeners()) collect()
  })
  useEffect(() => {
    const source = () => latest.current
    sources.add(source)
    return () => {
      sources.delete(source)
      if (changes.hasListeners()) collect()
    }
  }, [latest])
}

const pageActions = {
  get: () => current,
  subscribe(onChange: () => void) {
    const unsubscribe = changes.subscribe(onChange)
    collect()
    return unsubscribe
  },
}

/** One of each label: the same button may stand in two places. */
export function usePageActions(): Action[] {
  const actions = useBlockedWrites(useStore(pageActions))
  return [...new Map(actions.map((action) => [action.label, action])).values()]
}

/** Actions of which those that change something are disabled, with the reason, while nothing can be changed. */
export const useBlockedWrites = (actions: readonly Action[]): Action[] => blockWrites(actions, useWriteBlock())

/** @param block why nothing can be changed now */
export const blockWrites = (actions: readonly Action[], block: string | undefined): Action[] =>
  actions.map((action) => ({
    ...action,
    disabledReason: ((action.isWrite || action.isDanger) && block) || action.disabledReason,
  }))
