import { kubeArchive } from './kube-archive'
import { tektonResults } from './tekton-results'
import { views } from './views'

/** All plugins. Another one is a file beside this one, and an element of this list. */
export const pluginKinds = [kubeArchive, tektonResults, views] as const

export type PluginName = (typeof pluginKinds)[number]['name']
export type PluginSetting = (typeof pluginKinds)[number]['setting']
