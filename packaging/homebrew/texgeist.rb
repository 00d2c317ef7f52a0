# For a tap: homebrew/core takes no formula that installs wheels, and onnxruntime, pyarrow and faiss come as such.
class Texgeist < Formula
  desc "Language server for related work and citations in LaTeX"
  homepage "https://github.com/OWNER/texgeist"
  url "https://files.pythonhosted.org/packages/source/t/texgeist/texgeist-0.1.0.tar.gz"
  sha256 "SHA256"
  license "MIT"

  depends_on "uv" => :build
  depends_on "python@3.13"

  def install
    python = Formula["python@3.13"].opt_bin/"python3.13"
    system "uv", "venv", "--python", python, libexec
    pip = ["uv", "pip", "install", "--python", libexec/"bin/python"]
    system(*pip, "--require-hashes", "-r", "requirements.txt") # requirements.txt is in the sdist
    system(*pip, "--no-deps", ".")
    bin.install_symlink libexec/"bin/texgeist"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/texgeist --version")
  end
end
