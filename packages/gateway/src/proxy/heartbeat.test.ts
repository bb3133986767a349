import { expect, test } from 'vitest'
import { parseTarget } from '../target'
import { heartbeatOf } from './heartbeat'

test.each([
  ['?watch=true&heartbeat=true&resourceVersion=7', true, '?watch=true&resourceVersion=7'],
  ['?heartbeat=true&watch=1', true, '?watch=1'],
  ['?watch=true', false, '?watch=true'],
  ['?watch=true&heartbeat=false', false, '?watch=true&heartbeat=false'],
  // The log of a pod is bytes, to which nothing may be added.
  ['?follow=true&heartbeat=true', false, '?follow=true&heartbeat=true'],
  ['', false, ''],
])('%s asks for beats: %s', (query, isWanted, rest) => {
  const answer = heartbeatOf(parseTarget(`/api/v1/pods${query}`))
  expect(answer.isWanted).toBe(isWanted)
  expect(answer.target.query).toBe(rest)
})
