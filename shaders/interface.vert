// The triangles of the interface, as ImGui lays them out. Drawn by gl::ImGuiRenderer.
// In:  per vertex (ImDrawVert): where it is in ImGui's coordinates, where in the texture, its colour.

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texture_place;
layout(location = 2) in vec4 tint;

uniform mat4 to_clip;  // from ImGui's coordinates

out vec2 place;
out vec4 vertex_color;

void main() {
  place = texture_place;
  vertex_color = tint;
  gl_Position = to_clip * vec4(position, 0.0, 1.0);
}
