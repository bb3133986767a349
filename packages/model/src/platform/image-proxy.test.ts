import { expect, it, test } from 'vitest'
import { aConfigMap } from '../testing'
import { type ImageProxy, parseImageProxy } from './image-proxy'
import { publicInfoLocation, PublicInfoError } from './public-info'

const infoOf = (info: unknown) =>
  aConfigMap({ metadata: publicInfoLocation, data: { 'info.json': JSON.stringify(info) } })
const proxy: ImageProxy = { host: 'images.example.com', tokenUrl: 'https://images.example.com/oauth' }

test.each<[title: string, info: unknown, expected: ImageProxy | undefined]>([
  ['with its path', { imageProxy: { url: 'https://images.example.com', oauthPath: '/oauth' } }, proxy],
  ['without a path', { imageProxy: { url: 'https://images.example.com/' } }, proxy],
  ['in the older field', { imageProxyUrl: 'https://images.example.com' }, proxy],
  [
    'with a port and another path',
    { imageProxy: { url: 'https://images.example.com:8443', oauthPath: '/token' } },
    { host: 'images.example.com:8443', tokenUrl: 'https://images.example.com:8443/token' },
  ],
  ['that the platform does not have', {}, undefined],
  ['that is not a URL', { imageProxy: { url: 'images.example.com' } }, undefined],
  ['that is not a valid URL', { imageProxy: { url: 'https://' } }, undefined],
  ['that is not an object', { imageProxy: 7 }, undefined],
  [
    'whose path leads elsewhere',
    { imageProxy: { url: 'https://images.example.com', oauthPath: 'https://evil.example.com/oauth' } },
    undefined,
  ],
  [
    'whose path is a script',
    { imageProxy: { url: 'https://images.example.com', oauthPath: 'javascript:x' } },
    undefined,
  ],
])('an image proxy %s', (_, info, expected) => expect(parseImageProxy(infoOf(info))).toEqual(expected))

it('throws for public info that is not valid', () =>
  expect(() => parseImageProxy(aConfigMap({ metadata: publicInfoLocation, data: {} }))).toThrow(PublicInfoError))
