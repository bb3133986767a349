import { defineCrd, listOf, oneOf, open, string, time } from './define-crd'

const notification = open({
  title: string,
  event: oneOf('repo_push'),
  method: oneOf('email', 'webhook'),
  config: open({ email: string, url: string }),
})

export const imageRepositories = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'ImageRepository',
  plural: 'imagerepositories',
  versions: [
    {
      name: 'v1alpha1',
      spec: open({
        image: open({
          name: { type: 'string', pattern: '^[a-z0-9][.a-z0-9_-]*(/[a-z0-9][.a-z0-9_-]*)*$' },
          visibility: oneOf('public', 'private'),
        }),
        credentials: open(),
        notifications: listOf(notification),
      }),
      status: open({
        state: string,
        message: string,
        image: open({ url: string, visibility: string }),
        credentials: open({ generationTimestamp: time }),
      }),
      columns: [
        { name: 'Image', type: 'string', jsonPath: '.status.image.url' },
        { name: 'Visibility', type: 'string', jsonPath: '.status.image.visibility' },
      ],
    },
  ],
})
