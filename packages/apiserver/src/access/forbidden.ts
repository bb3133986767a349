import type { Attributes } from './authorizer'

/** The message of a 403: `pods "x" is forbidden: User "u" cannot get resource "pods" in API group "" …`. */
export declare function forbiddenMessage(attributes: Attributes, reason?: string): string
