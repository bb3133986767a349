import { nameOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { type Application, applicationType } from '../builds/application'
import { applicationFields } from './application-fields'

/** Applications by name. What other lists say about them is joined in the page, which sorts by it. */
export const applicationView: ViewKind<Application> = {
  id: applicationType.plural,
  type: applicationType,
  mask: applicationFields,
  fields: { name: { is: 'text', of: nameOf } },
  order: 'name',
  text: nameOf,
  identifiers: (application) => [nameOf(application)],
}
