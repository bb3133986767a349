import { expect, test } from 'vitest'
import { parseTarget } from '../target'
import { parseHeartbeat } from './heartbeat'

test.each([
  ['?watch=true&heartbeat=true&resourceVersion=7', true, '?watch=true&resourceVersion=7'],
  ['?heartbeat=true&watch=1', true, '?watch=1'],
  ['?watch=true', false, '?watch=true'],
  ['?watch=true&heartbeat=false', false, '?watch=true&heartbeat=false'],
  // A pod's log is raw bytes, to which nothing may be added.
  ['?follow=true&heartbeat=true', false, '?follow=true&heartbeat=true'],
  ['', false, ''],
])('the query %j requests heartbeats: %s', (query, isWanted, rest) => {
  const response = parseHeartbeat(parseTarget(`/api/v1/pods${query}`))
  expect(response.isRequested).toBe(isWanted)
  expect(response.target.query).toBe(rest)
})
