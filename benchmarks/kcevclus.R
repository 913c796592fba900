# kcevclus of R's evclust on the problem in the folder that is given; see kcevclus.py
folder <- commandArgs(trailingOnly = TRUE)[1]
suppressMessages(library(evclust))
read <- function(name) as.matrix(read.csv(file.path(folder, paste0(name, ".csv")), header = FALSE))
set <- read("settings")
began <- proc.time()
fit <- kcevclus(x = read("x"), c = set[1], ML = read("must") + 1, CL = read("cannot") + 1, xi = set[2],
                d0 = set[3], m0 = unname(read("start")), epsi = set[4], disp = FALSE)
spent <- proc.time() - began
write.table(fit$mass, file.path(folder, "masses.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
write.table(spent[1] + spent[2], file.path(folder, "seconds.csv"), row.names = FALSE, col.names = FALSE)
