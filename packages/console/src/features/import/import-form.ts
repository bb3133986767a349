import { secretType, type Secret } from '@slipway/kube/core-types'
import { toComponentName } from '@slipway/model/builds/component-name'
import { gitProviderIn } from '@slipway/model/git/git-host'
import { gitUrlError } from '@slipway/model/git/repository-address'
import {
  buildApplication,
  buildComponent,
  buildEnterpriseContractTest,
  buildImageRepository,
} from '@slipway/model/import/imported-objects'
import { resourceName } from '@slipway/model/resource-name'
import type { LinkTarget } from '@slipway/model/secrets/link-request'
import { isCommon } from '@slipway/model/secrets/secret'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { maxUrlLength, urlTooLong } from '@slipway/model/git/git-url'
import type { ImageNotification } from '@slipway/model/platform/image-notification'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import type { FieldPath } from 'react-hook-form'
import * as z from 'zod/mini'
import type { AppliedWrite } from '../../api/writes/perform-writes'
import { create, refOf, type Write } from '../../api/writes/writes'
import type { AddedSecret } from '../../parts/secrets/NewSecretDialog'
import {
  isLinkableInput,
  linkTargetOf,
  type SecretInput,
  toSecret,
  writtenSecret,
} from '../../parts/secrets/secret-form'

export interface ComponentInput {
  /** Whether the form adds a component; its rules apply only then. */
  isIncluded: boolean
  url: string
  isPrivate: boolean
  revision: string
  context: string
  gitProvider: string
  gitProviderUrl: string
  dockerfile: string
  /** As the user types it: `toComponentName` is what is written. */
  name: string
  pipeline: string
}

export interface ImportInput {
  application: string
  component: ComponentInput
  /** Secrets for its builds, which are linked to the component. */
  secrets: AddedSecret[]
}

export const emptyComponent: ComponentInput = {
  isIncluded: false,
  url: '',
  isPrivate: false,
  revision: '',
  context: '',
  gitProvider: '',
  gitProviderUrl: '',
  dockerfile: '',
  name: '',
  pipeline: '',
}

/** A URL or path. */
const address = z.string().check(z.maxLength(maxUrlLength, { error: urlTooLong, abort: true }))

export const componentTaken = (name: string): string =>
  `Component "${name}" already exists in this namespace. Edit the name to be unique and try again.`
const applicationTaken = (name: string): string => `Application ${name} already exists`

interface SchemaOptions {
  /** Names that are taken, except by what this form has created itself. */
  applications: readonly string[]
  components: readonly string[]
  /** Whether the application exists, so that its name is not a matter of this form. */
  isApplicationFixed: boolean
}

export function importSchema({ applications, components, isApplicationFixed }: SchemaOptions) {
  const component = z.object({
    url: z.string().check(({ value, issues }) => {
      const message = gitUrlError(value)
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
    context: address,
    dockerfile: address,
    gitProviderUrl: address.check(
      z.refine((text) => text === '' || /^https?:\/\/\S/.test(text), {
        error: 'Must be a URL, such as https://gitlab.example.com.',
      }),
    ),
    name: z.string().check(({ value, issues }) => {
      const name = toComponentName(value)
      const message =
        resourceName.safeParse(name).error?.issues[0]?.message ??
        (components.includes(name) ? componentTaken(name) : undefined)
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
    pipeline: z.string().check(z.minLength(1, { error: 'Required' })),
  })
  return z.object({
    application: isApplicationFixed
      ? z.string()
      : resourceName.check(
          z.refine((name) => !applications.includes(name), {
            error: ({ input }) => applicationTaken(String(input)),
          }),
        ),
    component: z.custom<ComponentInput>().check(({ value, issues }) => {
      if (!value.isIncluded) return
      for (const { message, path } of component.safeParse(value).error?.issues ?? [])
        issues.push({ code: 'custom', message, path, input: value })
    }),
    secrets: z.custom<AddedSecret[]>(),
  })
}

export type ImportValues = z.output<ReturnType<typeof importSchema>>

interface ImportContext {
  namespace: string
  /** Whether the application is created too, with its first test. */
  isNewApplication: boolean
  /** What new image repositories report, from the public info. */
  notifications: readonly ImageNotification[]
}

/** The objects of an import, in the order in which they are created. */
export function toWrites(
  { application, component, secrets }: ImportValues,
  { namespace, isNewApplication, notifications }: ImportContext,
): Write[] {
  const name = toComponentName(component.name)
  return [
    ...(isNewApplication
      ? [
          create(applicationType, buildApplication(namespace, application)),
          create(integrationTestScenarioType, buildEnterpriseContractTest(namespace, application)),
        ]
      : []),
    ...(component.isIncluded
      ? [
          create(
            componentType,
            buildComponent(namespace, {
              name,
              application,
              source: {
                url: component.url.trim(),
                revision: component.revision.trim(),
                context: component.context.trim(),
                dockerfileUrl: component.dockerfile.trim(),
              },
              pipeline: component.pipeline,
              gitProvider: component.gitProvider,
              gitProviderUrl: component.gitProviderUrl.trim(),
            }),
          ),
          create(
            imageRepositoryType,
            buildImageRepository(namespace, {
              component: name,
              application,
              visibility: component.isPrivate ? 'private' : 'public',
              notifications,
            }),
          ),
          ...secrets.flatMap((secret) =>
            secret.isNew ? [create(secretType, toSecret(secret.values, namespace))] : [],
          ),
        ]
      : []),
  ]
}

/** The components that each secret is linked to once everything is created: the new one, and what was chosen. */
export function linksOf(
  { component, secrets }: ImportValues,
  namespace: string,
  applied: readonly AppliedWrite[],
): { secret: Secret; target: LinkTarget }[] {
  if (!component.isIncluded) return []
  const name = toComponentName(component.name)
  return secrets.flatMap((each): { secret: Secret; target: LinkTarget } | [] => {
    if (each.isNew) {
      const written = applied.find(({ write }) => write.type === secretType && refOf(write).name === each.name)
      return { secret: writtenSecret(each.values, namespace, written), target: withComponent(each.values, name) }
    }
    // The platform links common secrets to every component by itself.
    return isCommon(each.secret) ? [] : { secret: each.secret, target: { option: 'partial', components: [name] } }
  })
}

/** What a new secret is linked to if a component that has just been created comes in addition. */
function withComponent(values: SecretInput, name: string): LinkTarget {
  const target = linkTargetOf(values)
  if (!isLinkableInput(values) || target.option === 'all') return target
  return { option: 'partial', components: [...(target.option === 'partial' ? target.components : []), name] }
}

/** Whether clusters may accept the dry run of the test only once this exists (ADR 41). */
export const isPrerequisite = ({ type }: Write): boolean => type === applicationType

/** The fields that errors of the cluster belong to. A component whose name is taken is reported in the alert. */
export const errorFields = ({ type }: Write): Readonly<Record<string, FieldPath<ImportInput>>> =>
  fieldsByKind[type.kind] ?? {}

const fieldsByKind: Record<string, Readonly<Record<string, FieldPath<ImportInput>>>> = {
  [applicationType.kind]: { 'metadata.name': 'application', 'spec.displayName': 'application' },
  [imageRepositoryType.kind]: { 'spec.image.visibility': 'component.isPrivate' },
  [componentType.kind]: {
    'spec.componentName': 'component.name',
    'spec.source.git.url': 'component.url',
    'spec.source.git.revision': 'component.revision',
    'spec.source.git.context': 'component.context',
    'spec.source.git.dockerfileUrl': 'component.dockerfile',
  },
}

export const takenMessage = (write: Write): string => {
  const { name } = refOf(write)
  if (write.type === componentType) return componentTaken(name)
  return write.type === applicationType ? applicationTaken(name) : `${kindOf(write)} ${name} already exists`
}

const kinds: Record<string, string> = {
  [integrationTestScenarioType.kind]: 'Integration test',
  [imageRepositoryType.kind]: 'Image repository',
}

/** What users call the kind of a write. */
export const kindOf = ({ type: { kind } }: Write): string => kinds[kind] ?? kind

/** The provider annotations that follow from a git URL; blank where the URL does not say. */
export function providerOf(url: string): Pick<ComponentInput, 'gitProvider' | 'gitProviderUrl'> {
  if (gitUrlError(url)) return { gitProvider: '', gitProviderUrl: '' }
  const { hostname, origin } = new URL(url.trim())
  const provider = gitProviderIn(hostname)
  return { gitProvider: provider && provider !== 'bitbucket' ? provider : '', gitProviderUrl: origin }
}
