import { int, many, one, string, stringOrEmpty, type Message } from '../message'

// Field numbers and names: k8s.io/apimachinery, meta/v1 generated.proto.

const listMeta: Message = {
  1: ['selfLink', string],
  2: ['resourceVersion', string],
  3: ['continue', string],
  4: ['remainingItemCount', int],
}

/** Lists of every kind have the same shape. */
export const listOf = (item: Message): Message => ({ 1: ['metadata', one(listMeta)], 2: ['items', many(item)] })

const statusCause: Message = { 1: ['reason', string], 2: ['message', string], 3: ['field', string] }

const statusDetails: Message = {
  1: ['name', string],
  2: ['group', string],
  3: ['kind', string],
  4: ['causes', many(statusCause)],
  5: ['retryAfterSeconds', int],
  6: ['uid', string],
}

export const status: Message = {
  1: ['metadata', one(listMeta)],
  2: ['status', stringOrEmpty],
  3: ['message', string],
  4: ['reason', string],
  5: ['details', one(statusDetails)],
  6: ['code', int],
}
