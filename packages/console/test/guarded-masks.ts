import { type FieldPath, namesOfPath } from '@slipway/kube/field-mask'
import type { KubeClient } from '@slipway/kube/client'
import { type KubeObject, nameOf, namespaceOf } from '@slipway/kube/object'
import { onTestFinished, vi } from 'vitest'
import { client } from '../src/api/client'

/** Not the one that an earlier cluster of the same test has replaced. */
const { list } = client

/**
 * Lists with a mask throw when a field is read that the cluster has and the mask leaves out: on a screen, it would be
 * silently empty. The test fails at its end too, since a part of the page that throws may not be what the test looks at.
 * @param system reads the whole objects
 */
export function guardMasks(system: KubeClient): void {
  const unmasked = new Set<string>()
  vi.spyOn(client, 'list').mockImplementation(async (type, options = {}) => {
    const { mask, signal: _, ...page } = options
    const masked = await list(type, options)
    if (!mask) return masked
    const whole = await system.list(type, page).catch(() => ({ items: [] }))
    const byName = new Map<string, object>(whole.items.map((each) => [`${namespaceOf(each)} ${nameOf(each)}`, each]))
    const find = (item: KubeObject) => byName.get(`${namespaceOf(item) ?? page.namespace} ${nameOf(item)}`)
    const report = (field: string): never => {
      const text = `The mask of ${type.plural} lacks ${field}, which is read.`
      unmasked.add(text)
      throw new Error(text)
    }
    for (const item of masked.items) guardFields(item, find(item), mask, report)
    return masked
  })
  onTestFinished(() => {
    if (unmasked.size > 0) throw new Error([...unmasked].join('\n'))
  })
}

/** @param report called when a field of the whole object is read that the mask leaves out; throws */
export function guardFields(
  masked: object,
  whole: object | undefined,
  mask: readonly FieldPath[],
  report: (field: string) => never,
): void {
  const paths = mask.map((path) => namesOfPath(path))
  const guard = (masked: unknown, whole: unknown, at: readonly string[]): void => {
    if (Array.isArray(masked) && Array.isArray(whole)) {
      for (const [index, each] of masked.entries()) guard(each, whole[index], at)
      return
    }
    if (!isObject(masked) || !isObject(whole)) return
    for (const [name, value] of Object.entries(whole)) {
      const path = [...at, name]
      if (Object.hasOwn(masked, name)) guard(masked[name], value, path)
      else if (!paths.some((each) => isSharedPath(each, path)))
        // Not enumerable, so that only code that names the field reads it.
        Object.defineProperty(masked, name, { configurable: true, get: () => report(path.join('.')) })
    }
  }
  guard(masked, whole, [])
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether one of two paths is the start of the other. */
const isSharedPath = (a: readonly string[], b: readonly string[]): boolean =>
  a.slice(0, b.length).every((name, index) => name === b[index])
