import { type LoaderFunctionArgs, replace } from 'react-router'
import { paths } from '../../paths'
import { paramsOf } from '../../ui/page/route-params'
import { rememberedActivity } from './activity-memory'

/** A URL without an activity subtab redirects to the one that was viewed last. */
export function loader({ params }: LoaderFunctionArgs) {
  const at = paramsOf(params, 'namespace', 'application', 'component')
  return replace(paths.componentActivityTab({ ...at, activityTab: rememberedActivity(at).get() }))
}

export { ComponentActivityRedirect as Component }
const ComponentActivityRedirect = () => null
