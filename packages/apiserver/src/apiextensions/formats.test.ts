import { expect, test } from 'vitest'
import { matchesFormat } from './formats'

test.each([
  ['date-time', '2026-01-31T09:00:00Z', true],
  ['date-time', '2026-02-30T09:00:00Z', false],
  ['date-time', '2026-01-31 09:00:00', false],
  ['date', '2024-02-29', true],
  ['date', '2023-02-29', false],
  ['duration', '1h30m', true],
  ['duration', '1 hour', false],
  ['byte', 'YQ==', true],
  ['byte', 'YQ=', false],
  ['uri', 'https://example.org/a', true],
  ['uri', 'not a uri', false],
  ['email', 'a@example.org', true],
  ['hostname', 'a-b.example.org', true],
  ['hostname', '-a', false],
  ['ipv4', '10.0.0.255', true],
  ['ipv4', '10.0.0.256', false],
  ['ipv6', '::1', true],
  ['ipv6', '10.0.0.1', false],
  ['cidr', '10.0.0.0/8', true],
  ['cidr', '10.0.0.0/33', false],
  ['uuid', '00000000-0000-4000-8000-000000000000', true],
  ['mac', '00:11:22:33:44:55', true],
  ['toString', 'anything', true],
])('%s %s: %s', (format, text, matches) => {
  expect(matchesFormat(format, text)).toBe(matches)
})
