import { type LoaderFunctionArgs, replace } from 'react-router'
import { paths } from '../../paths'
import { route } from '../../ui/page/route'
import { rememberedActivity } from './activity-memory'

export const page = route(paths.componentActivity)

/** A URL without an activity subtab redirects to the one that was viewed last. */
export function loader({ params }: LoaderFunctionArgs) {
  const at = page.paramsOf(params)
  return replace(paths.componentActivityTab({ ...at, activityTab: rememberedActivity(at).get() }))
}

export { ComponentActivityRedirect as Component }
const ComponentActivityRedirect = () => null
