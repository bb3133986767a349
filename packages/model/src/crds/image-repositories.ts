import { imageRepositoryType } from '../builds/image-repository'
import { booleans, defineCrd, listOf, object, oneOf, string, strings, time } from './define-crd'

const notification = object({
  title: string,
  event: oneOf('repo_push'),
  method: oneOf('email', 'webhook'),
  config: object(strings('email', 'url')),
})

export const imageRepositories = defineCrd({
  group: imageRepositoryType.group,
  kind: 'ImageRepository',
  plural: 'imagerepositories',
  versions: [
    {
      name: 'v1alpha1',
      spec: object({
        image: object({
          name: { type: 'string', pattern: '^[a-z0-9][.a-z0-9_-]*(/[a-z0-9][.a-z0-9_-]*)*$' },
          visibility: oneOf('public', 'private'),
        }),
        credentials: object(booleans('regenerate-namespace-pull-token', 'regenerate-token', 'verify-linking')),
        notifications: listOf(notification),
      }),
      status: object({
        ...strings('state', 'message'),
        image: object(strings('url', 'visibility')),
        credentials: object({
          generationTimestamp: time,
          ...strings('pull-robot-account', 'pull-secret', 'push-robot-account', 'push-secret'),
        }),
        notifications: listOf(object(strings('title', 'uuid'))),
      }),
      columns: [
        { name: 'Image', type: 'string', jsonPath: '.status.image.url' },
        { name: 'Visibility', type: 'string', jsonPath: '.status.image.visibility' },
      ],
    },
  ],
})
