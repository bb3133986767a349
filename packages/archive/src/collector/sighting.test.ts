import { expect, it } from 'vitest'
import { effectsOf, type Effect, type Sighting } from './sighting'

const running: Sighting = {
  isDeleted: false,
  isFinished: false,
  isSelected: true,
  hasLogs: false,
  isFollowed: false,
}

it.each<[name: string, Partial<Sighting>, Effect[]]>([
  ['an object that runs is remembered', {}, ['remember', 'update']],
  ['a finished object is archived', { isFinished: true }, ['forget', 'archive']],
  ['an object that is deleted while it runs is archived', { isDeleted: true }, ['forget', 'archive']],
  ['an object that leaves the selection is forgotten', { isDeleted: true, isSelected: false }, ['forget']],
  ['the logs of a running pod are followed', { hasLogs: true }, ['follow', 'remember', 'update']],
  ['those of a finished pod are not', { hasLogs: true, isFinished: true }, ['forget', 'archive']],
  ['a deleted pod waits for its last lines', { hasLogs: true, isDeleted: true, isFollowed: true }, ['finishLogs']],
  ['a deleted pod without logs is archived at once', { hasLogs: true, isDeleted: true }, ['forget', 'archive']],
  [
    'a followed pod that leaves the selection waits too',
    { hasLogs: true, isDeleted: true, isFollowed: true, isSelected: false },
    ['finishLogs'],
  ],
])('%s', (_, seen, effects) => expect(effectsOf({ ...running, ...seen })).toEqual(effects))
