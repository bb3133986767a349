// Command schemas prints the published schemas of the built-in kinds of the embedded API server, and of everything in
// them, as JSON for packages/apiserver/src/openapi/builtin-schemas.json: `npm run kubernetes-types`.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	generated "k8s.io/kubernetes/pkg/generated/openapi"
)

var roots = []string{
	"api.core.v1.ConfigMap", "api.core.v1.Event", "api.core.v1.LimitRange", "api.core.v1.Namespace",
	"api.core.v1.PersistentVolumeClaim", "api.core.v1.Pod", "api.core.v1.Secret", "api.core.v1.ServiceAccount",
	"api.authentication.v1.SelfSubjectReview", "api.authentication.v1.TokenRequest",
	"api.authentication.v1.TokenReview",
	"api.authorization.v1.LocalSubjectAccessReview", "api.authorization.v1.SelfSubjectAccessReview",
	"api.authorization.v1.SelfSubjectRulesReview", "api.authorization.v1.SubjectAccessReview",
	"api.coordination.v1.Lease", "api.events.v1.Event",
	"api.rbac.v1.ClusterRole", "api.rbac.v1.ClusterRoleBinding", "api.rbac.v1.Role", "api.rbac.v1.RoleBinding",
	"apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
	"apimachinery.pkg.apis.meta.v1.ListMeta", "apimachinery.pkg.apis.meta.v1.ObjectMeta",
}

const prefix = "io.k8s."

type object = map[string]any

// Types whose values have more than one form, or contain themselves.
var special = map[string]object{
	"apimachinery.pkg.api.resource.Quantity":                            {"x-kubernetes-preserve-unknown-fields": true},
	"apimachinery.pkg.util.intstr.IntOrString":                          {"x-kubernetes-int-or-string": true},
	"apimachinery.pkg.apis.meta.v1.FieldsV1":                            {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
	"apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
}

func main() {
	known := generated.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef("#/" + name) })
	schemas := map[string]object{}
	var add func(name string)
	var compact func(value any) any
	add = func(name string) {
		if _, done := schemas[name]; done {
			return
		}
		schema, ok := special[name]
		if !ok {
			schema = asJSON(known[prefix+name].Schema)
		}
		schemas[name] = schema
		schemas[name] = compact(schema).(object)
	}
	compact = func(value any) any {
		switch value := value.(type) {
		case []any:
			for i := range value {
				value[i] = compact(value[i])
			}
		case object:
			if ref, isRef := value["$ref"].(string); isRef {
				name := strings.TrimPrefix(ref, "#/")
				add(strings.TrimPrefix(name, prefix))
				value["$ref"] = name
			}
			// Go's zero values, which say nothing.
			if isZero(value["default"]) {
				delete(value, "default")
			}
			for key, part := range value {
				value[key] = compact(part)
			}
		}
		return value
	}
	for _, root := range roots {
		add(root)
	}
	write(schemas)
}

// One schema a line, so that a new version of Kubernetes has a readable difference.
func write(schemas map[string]object) {
	separator := "{"
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		var text strings.Builder
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(schemas[name]); err != nil {
			panic(err)
		}
		fmt.Printf("%s\n%q: %s", separator, prefix+name, strings.TrimSpace(text.String()))
		separator = ","
	}
	fmt.Println("\n}")
}

func asJSON(schema spec.Schema) (result object) {
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &result); err != nil {
		panic(err)
	}
	return result
}

func isZero(value any) bool {
	if fields, ok := value.(object); ok {
		return len(fields) == 0
	}
	return value == nil || reflect.ValueOf(value).IsZero()
}
