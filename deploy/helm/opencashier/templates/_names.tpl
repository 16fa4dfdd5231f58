{{- define "opencashier.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "opencashier.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "opencashier.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
{{ include "opencashier.selector" . }}
{{- end }}

{{- define "opencashier.image" -}}
{{- if .Values.image.digest }}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}{{ else }}{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}{{ end }}
{{- end }}

{{- define "opencashier.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "opencashier.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The address of the application's role, for a job: the one key of the nodes' Secret that it needs, and the owner's. */}}
{{- define "opencashier.jobEnvironment" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/cashier/database-url }
- { name: DATABASE_OWNER_URL_FILE, value: /run/secrets/owner/database-owner-url }
{{- end }}

{{- define "opencashier.jobMounts" -}}
- { name: secrets, mountPath: /run/secrets/cashier, readOnly: true }
- { name: owner, mountPath: /run/secrets/owner, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "opencashier.jobVolumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secret.name }}
    defaultMode: 0440
    items: [{ key: database-url, path: database-url }]
- name: owner
  secret:
    secretName: {{ .Values.ownerSecret.name }}
    defaultMode: 0440
    items: [{ key: {{ .Values.ownerSecret.key }}, path: database-owner-url }]
- { name: tmp, emptyDir: {} }
{{- end }}
