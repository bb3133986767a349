import type { KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { ImageNotification } from '../platform/image-notification'

export type ImageVisibility = 'public' | 'private'

export interface ImageRepository extends KubeObject {
  spec: {
    image?: { name?: string; visibility?: ImageVisibility }
    notifications?: ImageNotification[]
    credentials?: { 'regenerate-token'?: boolean }
  }
  status?: {
    state?: 'ready' | 'failed' | 'damaged' | 'missing' | 'waiting'
    message?: string
    image?: { url?: string; visibility?: ImageVisibility }
    credentials?: {
      'push-secret'?: string
      'pull-secret'?: string
      'push-robot-account'?: string
      'pull-robot-account'?: string
      generationTimestamp?: string
    }
    notifications?: { title: string; uuid: string }[]
  }
}
export const imageRepositoryType = defineResource<ImageRepository>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'ImageRepository',
  plural: 'imagerepositories',
  namespaced: true,
})

/** Who can pull the images, as the registry has it; before it has answered, as it was requested. */
export const visibilityOf = ({ spec, status }: ImageRepository): ImageVisibility =>
  status?.image?.visibility ?? spec.image?.visibility ?? 'public'

/** Who should be able to pull them; the image controller changes it at the registry. */
export const requestedVisibilityOf = (repository: ImageRepository): ImageVisibility =>
  repository.spec.image?.visibility ?? visibilityOf(repository)
