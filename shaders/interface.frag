// The colour of a pixel of the interface: that of the vertices times the texture, which is the glyphs' and, at one
// texel, white. Drawn by gl::ImGuiRenderer.
// Out: straight alpha.

in vec2 place;
in vec4 vertex_color;

uniform sampler2D glyphs;

out vec4 color;

void main() { color = vertex_color * texture(glyphs, place); }
