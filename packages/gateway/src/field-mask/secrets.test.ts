import { expect, it, test } from 'vitest'
import { parseTarget } from '../target'
import { acceptedJson, isForSecrets } from './secrets'

test.each([
  '/api/v1/secrets',
  '/api/v1/secrets?watch=true',
  '/api/v1/secrets/',
  '/api/v1/Secrets',
  '/api/v1/secrets%20',
  '/api/v1/secrets%3f',
  '/api/v1/secrets%23b',
  '/api/v1/namespaces/a/secrets/%3fb',
  '/api/v1/namespaces/a%3f/secrets',
  '/api/v1/namespaces/a/secrets',
  '/api/v1/namespaces/a/secrets/b',
  '/api/v1/namespaces/a/secrets/b/c',
  '/api/v1/namespaces/secrets/secrets',
  '/api/v1/namespaces/watch/secrets/b',
  '/api/v1/watch/secrets',
  '/api/v1/watch/namespaces/a/secrets/b',
])('%s addresses Secrets', (target) => expect(isForSecrets(parseTarget(target))).toBe(true))

test.each([
  '/api/v1/namespaces/secrets',
  '/api/v1/namespaces/secrets/configmaps',
  '/api/v1/namespaces/a/configmaps/secrets',
  '/api/v1/watch/namespaces/secrets',
  '/apis/example.com/v1/namespaces/a/secrets',
  '/apis/example.com/v1/secrets/a',
  '/api/v1',
  '/version',
])('%s does not address Secrets', (target) => expect(isForSecrets(parseTarget(target))).toBe(false))

test.each([
  '/api/v1/namespaces/a/%73ecrets',
  '/api/v1/namespaces/a//secrets',
  '/api/v1//secrets',
  '/api/v1/namespaces/a%2fsecrets',
  '/api/v1/namespaces/a/pods/../secrets',
  '/api/v1/namespaces/a/secrets;a=b',
  '/api/v1/namespaces/a/secrets%00',
])('%s, which programs read differently, is rejected', (target) => expect(() => parseTarget(target)).toThrow())

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*;q=0.5', 'application/json;q=0.5'],
  ['application/vnd.kubernetes.protobuf, application/json', 'application/json'],
  ['application/yaml,application/cbor,*/*', 'application/json'],
  ['application/json;q=0,application/json;as=Table', 'application/json;as=Table'],
  [
    'application/json;as=Table;g=meta.k8s.io;v=v1, application/json',
    'application/json;as=Table;g=meta.k8s.io;v=v1,application/json',
  ],
])('a client that accepts %s gets %s', (accept, expected) => expect(acceptedJson(accept)).toBe(expected))

it.each([
  'application/yaml',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
  'application/cbor',
  'text/html',
  'application/json;q=0.0;as=Table',
  'application/json+cbor',
  'application/json;as="a,application/cbor"',
])('a client that only accepts %s gets nothing', (accept) =>
  expect(() => acceptedJson(accept)).toThrow(/only served as/),
)
