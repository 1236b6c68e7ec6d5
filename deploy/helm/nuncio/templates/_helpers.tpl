{{- define "nuncio.labels" -}}
app.kubernetes.io/name: nuncio
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "nuncio.selector" -}}
app.kubernetes.io/name: nuncio
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "nuncio.secret" -}}
{{- .Values.existingSecret | default .Release.Name }}
{{- end }}

{{/* The nodes: as declared over PostgreSQL, and one over SQLite. */}}
{{- define "nuncio.nodes" -}}
{{- if eq .Values.store "postgres" }}
{{- toYaml .Values.nodes }}
{{- else if eq .Values.store "sqlite" }}
nuncio: { roles: [api, submit, deliver], replicas: 1 }
{{- else }}
{{- fail "store must be sqlite or postgres" }}
{{- end }}
{{- end }}

{{- define "nuncio.node" -}}
{{- if eq .node "nuncio" }}{{ .root.Release.Name }}{{ else }}{{ .root.Release.Name }}-{{ .node }}{{ end }}
{{- end }}
