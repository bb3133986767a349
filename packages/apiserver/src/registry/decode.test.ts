import { expect, it } from 'vitest'
import { systemClock } from '@slipway/kube/clock'
import { namespaces } from '../builtin/namespaces'
import { reviews } from '../builtin/reviews'
import { decode } from './decode'

const options = { fieldValidation: 'Strict', warn: () => undefined } as const

it('decode treats null as unset, as kubectl sends it', () => {
  const rules = reviews.find(({ type }) => type.kind === 'SelfSubjectRulesReview')
  const sent = {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
    spec: { namespace: 'a' },
    status: { resourceRules: null, nonResourceRules: null, incomplete: false },
  }
  expect(rules && decode(rules, sent, options)).toMatchObject({
    spec: { namespace: 'a' },
    status: { incomplete: false },
  })
})

it('a new namespace is active whatever status its creator sent', () => {
  const sent = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'a' }, spec: {}, status: {} }
  const namespace = decode(namespaces, sent, options)
  namespaces.prepare?.(namespace, { clock: systemClock })
  namespaces.fill?.(namespace)
  expect(namespace).toMatchObject({ status: { phase: 'Active' }, spec: { finalizers: ['kubernetes'] } })
})
